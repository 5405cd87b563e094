/** The report's style: one column, light and dark after the reader's system. */
export const pageStyle = `
:root { color-scheme: light dark; --ground: #fbfaf6; --panel: #ffffff; --ink: #1f2722; --dim: #66736b; --line: #e2e3da;
  --leaf: #2f7d4f; --leaf-soft: #e3f0e7; --bad: #c2402f; --bad-soft: #fae6e2; --warn: #94660a; --warn-soft: #faf0d7; }
@media (prefers-color-scheme: dark) { :root { --ground: #121614; --panel: #1a201d; --ink: #e3e9e5; --dim: #93a199;
  --line: #2d3631; --leaf: #6cc48f; --leaf-soft: #1d3527; --bad: #ff8371; --bad-soft: #43231e; --warn: #e2b652; --warn-soft: #3a3017; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1040px; margin: 0 auto; padding: 32px 24px 64px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 8px 14px; }
h1 { margin: 0; font-size: 26px; letter-spacing: -0.01em; }
h2 { margin: 40px 0 12px; font-size: 18px; }
h2 small { font-weight: 400; font-size: 14px; color: var(--dim); margin-left: 8px; }
.lead { color: var(--dim); margin: 6px 0 0; flex-basis: 100%; }
.state { padding: 2px 10px; border-radius: 999px; font-weight: 600; font-size: 13px; }
.state.done { background: var(--leaf-soft); color: var(--leaf); }
.state.error { background: var(--bad-soft); color: var(--bad); }
.state.open { background: var(--warn-soft); color: var(--warn); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(126px, 1fr)); gap: 12px; margin: 24px 0 0; padding: 0; }
.tile { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 12px 12px; }
.tile dt { color: var(--dim); font-size: 13px; }
.tile dd { margin: 2px 0 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; letter-spacing: -0.02em; }
.tile.bad dd { color: var(--bad); }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 14px; overflow-x: auto; }
.panel.long { max-height: 560px; overflow-y: auto; padding-top: 0; }
.panel.long thead th { position: sticky; top: 0; background: var(--panel); padding-top: 14px; z-index: 1; }
.chart { margin: 0; }
.chart svg { display: block; width: 100%; height: auto; min-width: 560px; }
figcaption { color: var(--dim); font-size: 13px; padding: 4px 0 0; }
.tick, .label { fill: var(--dim); font-size: 12px; font-family: inherit; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); stroke-width: 1; }
.axis, .cross { stroke: var(--dim); stroke-width: 1; }
.cross { stroke-dasharray: 3 3; }
.curve { fill: none; stroke: var(--leaf); stroke-width: 2; stroke-linejoin: round; }
.dot { fill: var(--leaf); stroke: var(--panel); stroke-width: 2; }
.busy { fill: var(--leaf); }
.bad { fill: var(--bad); }
.bad-mark { stroke: var(--bad); stroke-width: 3; fill: none; }
.session { stroke: var(--warn); stroke-width: 1.5; stroke-dasharray: 4 3; }
.legend { color: var(--dim); font-size: 13px; display: flex; gap: 16px; margin: 8px 0 0; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 6px; background: var(--leaf); }
.legend i.bad { background: var(--bad); }
.legend i.resume { background: var(--warn); width: 2px; height: 12px; vertical-align: -1px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--dim); font-weight: 500; font-size: 13px; padding: 4px 12px 6px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.text { overflow-wrap: anywhere; min-width: 130px; }
.facts th { width: 170px; vertical-align: top; border-bottom-width: 1px; padding: 6px 12px 6px 0; }
.facts tr:last-child > th { border-bottom: 0; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 13px; }
pre { margin: 8px 0; padding: 10px 12px; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.bar { height: 10px; min-width: 120px; border-radius: 5px; background: var(--line); overflow: hidden; margin-top: 6px; position: relative; }
.bar span { position: absolute; inset: 0 auto 0 0; border-radius: 5px; background: var(--leaf); }
.bar span.total { opacity: 0.35; }
.kind { color: var(--bad); font-weight: 600; }
.dim, .empty { color: var(--dim); }
summary { cursor: pointer; color: var(--dim); font-size: 13px; }
a { color: var(--leaf); }
footer { margin-top: 48px; color: var(--dim); font-size: 13px; }
@media print { body { background: #fff; } .panel.long { max-height: none; } .panel, .tile { break-inside: avoid; } }
`;
