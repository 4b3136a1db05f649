// The look of report.html: light and dark by the reader's own setting, nothing from the network.
#pragma once

#include <string_view>

namespace burnish {

inline constexpr std::string_view kPageStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f6f4; --card: #ffffff; --edge: #e3e2de; --text: #1c1b19; --muted: #63615c;
  --grid: #ecebe7; --axis: #b9b7b0; --bad: #c2302d; --shade: #f1f0ec;
  --c0: #2a78d6; --c1: #d9622b; --c2: #12875f; --c3: #a86f00; --c4: #c4477f; --c5: #6750c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #141413; --card: #1e1e1c; --edge: #34332f; --text: #ecebe6; --muted: #a3a19a;
    --grid: #2b2a27; --axis: #5c5a54; --bad: #f0716c; --shade: #272623;
    --c0: #5b9ff0; --c1: #ee8553; --c2: #3bb88a; --c3: #d6a02c; --c4: #e679a9; --c5: #9d8af0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 1180px; margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 34px 0 12px; }
h3 { font-size: 15px; margin: 0 0 10px; overflow-wrap: anywhere; white-space: pre-wrap; }
.lead { color: var(--muted); margin: 0 0 20px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; }
.tile, figure, .card { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; }
.tile { padding: 12px 14px; }
.tile span, .tile small { display: block; color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
.tile b { font-size: 20px; font-weight: 600; white-space: nowrap; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 14px; }
figure { margin: 0; padding: 12px 14px 6px; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 8px; align-items: baseline; margin-bottom: 4px; }
figcaption small { color: var(--muted); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 12px; margin-left: auto; font-size: 13px; }
.legend i { display: inline-block; width: 14px; height: 3px; margin-right: 5px; vertical-align: middle; }
svg { display: block; width: 100%; height: auto; }
.grid { stroke: var(--grid); } .axis { stroke: var(--axis); }
.tick { fill: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.broken { fill: none; stroke: var(--bad); stroke-width: 2; }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); }
.s3 { --c: var(--c3); } .s4 { --c: var(--c4); } .s5 { --c: var(--c5); }
.line { stroke: var(--c); } .dot { fill: var(--c); } .legend i { background: var(--c); }
.band rect { fill: transparent; } .band line { stroke: var(--axis); }
.band line, .band circle { visibility: hidden; }
.band:hover line, .band:hover circle { visibility: visible; }
.none { color: var(--muted); }
.card { padding: 14px; margin-bottom: 12px; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 12px; }
.pair > div { background: var(--shade); border-radius: 6px; padding: 10px 12px; min-width: 0; }
.pair small { color: var(--muted); }
.answer { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--edge); }
tr:last-child > * { border-bottom: 0; }
th { font-weight: 400; color: var(--muted); width: 40%; }
td { overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 14px; align-items: start; }
.columns h2 { margin-top: 20px; }
.columns .card { margin: 0; }
pre { margin: 0; overflow-x: auto; font: 13px/1.45 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; }
footer { margin-top: 40px; color: var(--muted); font-size: 13px; }
)css";

}  // namespace burnish
