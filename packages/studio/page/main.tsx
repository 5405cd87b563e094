import { render } from "preact";
import type { EmbeddedView } from "../src/wire.ts";
import { ComparePage } from "./compare/compare-page.tsx";
import { connected, embedded, embeddedView, readEmbedded } from "./connection.ts";
import { HooksPage, hasHooks, lookForHooks } from "./hooks/hooks-page.tsx";
import { route } from "./route.ts";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import { theme, themes } from "./theme.ts";
import { toolOf } from "./tools.tsx";
import "./style/tokens.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/tables.css";
import "./style/charts.css";
import "./style/flow.css";
import "./style/tree.css";
import "./style/council.css";
import "./style/tuner.css";

/** Not of this machine alone; a file has no host. */
const isOpenToOthers = !["", "localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

function Studio() {
  return (
    <>
      <header class="top">
        <a class="brand" href="#/">
          Coppice studio
        </a>
        {embedded === undefined && embeddedView === undefined && (
          <nav aria-label="Pages">
            <PageLink to="" title="Runs" />
            {(hasHooks.value || route.value[0] === "hooks") && <PageLink to="hooks" title="Hooks" />}
          </nav>
        )}
        <span class="room" />
        {isOpenToOthers && (
          <span class="small muted">
            Others can reach this page: whoever has its whole address can look, stop, resume and start runs. The
            connection is not encrypted.
          </span>
        )}
        {connected.value === false && <span role="status">The studio does not answer; trying again.</span>}
        <label>
          <span class="visually-hidden">Colours</span>
          <select
            value={theme.value}
            onChange={({ currentTarget }) => {
              theme.value = themes.find((each) => each === currentTarget.value) ?? "auto";
            }}
          >
            {themes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </header>
      <main>
        <Page />
      </main>
    </>
  );
}

function PageLink({ to, title }: { readonly to: string; readonly title: string }) {
  const isHere = (route.value[0] ?? "") === to;
  return (
    <a href={`#/${to}`} {...(isHere ? { "aria-current": "page" } : {})}>
      {title}
    </a>
  );
}

function Page() {
  const [name, ...rest] = route.value;
  if (embeddedView !== undefined) return <AloneView {...embeddedView} />;
  if (embedded !== undefined) return <RunPage place={0} id={embedded.run.id} tab={rest[2] ?? ""} />;
  if (name === "run" && rest.length >= 2) {
    const [place, id, tab = ""] = rest;
    return <RunPage key={`${place}/${id}`} place={Number(place)} id={id} tab={tab} />;
  }
  if (name === "compare" && rest.length === 4) return <ComparePage key={rest.join("/")} of={rest} />;
  return name === "hooks" ? <HooksPage /> : <RunsPage />;
}

/** What a tool has to show that is not of a run. */
function AloneView({ title, tool, view }: EmbeddedView) {
  const { Alone } = toolOf(tool);
  document.title = `${title} · Coppice`;
  return (
    <>
      <h1>{title}</h1>
      {Alone !== undefined && <Alone view={view} />}
    </>
  );
}

/** What is asked for first comes first. */
const HOOKS_AFTER_MS = 1000;

const place = document.getElementById("studio");
if (place !== null) {
  await readEmbedded();
  place.textContent = "";
  render(<Studio />, place);
  if (embedded === undefined && embeddedView === undefined) setTimeout(lookForHooks, HOOKS_AFTER_MS);
}
