import { effect, signal } from "@preact/signals";

export const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const KEY = "coppice-studio-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(dark.matches);
dark.addEventListener("change", () => {
  systemIsDark.value = dark.matches;
});

/** What the reader chose. A file from disk may be refused a place to keep it. */
export const theme = signal<Theme>(themes.find((each) => each === kept()?.getItem(KEY)) ?? "auto");

function kept(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Changes with what is shown, so that drawings are made again. */
export const shown = signal<"light" | "dark">("light");

effect(() => {
  kept()?.setItem(KEY, theme.value);
  shown.value = theme.value === "auto" ? (systemIsDark.value ? "dark" : "light") : theme.value;
  document.documentElement.dataset.theme = shown.value;
});

/** The colours of the style sheet, for what is drawn. */
export type Palette = Readonly<Record<(typeof names)[number], string>>;
const names = [
  ...([
    "paper",
    "raised",
    "sunk",
    "line",
    "ink",
    "muted",
    "accent",
    "good",
    "warn",
    "bad",
    "second",
    "third",
    "rest",
  ] as const),
  ...(["load1", "load2", "load3", "load4", "load5"] as const),
] as const;

/** The colours as they are now. */
export function palette(): Palette {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Palette;
}
