/** Stylesheet of all reports, with the colours and the type of the app. Printed in the light colours. */
export const reportStyle = `
:root{color-scheme:light dark;--sans:'Instrument Sans Variable',system-ui,sans-serif;--mono:'Commit Mono',ui-monospace,monospace;
--bench:#f0efeb;--paper:#fbfaf7;--line:#dbd9d5;--line-2:#c0bdb9;--edge:#83807a;--ink:#191713;--ink-2:#4a4742;--ink-3:#64615c;--on-ink:#fbfaf8;--warn-ink:#7e5104;--err:#d21d35;
--lane-a:#165dc4;--lane-b:#046f6d;--lane-c:#9a2e90;--lane-d:#5c6b1b;--lane-e:#4e5c6b;--lane-f:#7d4e24}
@media screen and (prefers-color-scheme:dark){:root{
--bench:#100f0d;--paper:#171513;--line:#2c2b28;--line-2:#43413d;--edge:#75736d;--ink:#eeedea;--ink-2:#b9b7b2;--ink-3:#96938e;--on-ink:#151411;--warn-ink:#ebc669;--err:#f25359;
--lane-a:#6ea3f7;--lane-b:#5bc7c1;--lane-c:#df83d3;--lane-d:#b0c666;--lane-e:#a3b3c4;--lane-f:#d29f73}}
@media print{:root{color-scheme:light}}
@page{margin:14mm 12mm}
.letter-a{--lane:var(--lane-a)}.letter-b{--lane:var(--lane-b)}.letter-c{--lane:var(--lane-c)}.letter-d{--lane:var(--lane-d)}.letter-e{--lane:var(--lane-e)}.letter-f{--lane:var(--lane-f)}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:400 15px/25px var(--sans);overflow-wrap:anywhere}
header,main>*{padding:16px max(16px,calc(50% - 640px))}
header{padding-top:32px}
h1{margin:0 0 4px;font-size:22px;line-height:28px;font-weight:600;text-wrap:balance}
h2,h3{margin:0 0 6px;font-size:13px;line-height:20px;font-weight:600}
h2{color:var(--ink-3);font-weight:500}
p{margin:0 0 10px}
small,.quiet{color:var(--ink-3);font-size:12px;line-height:18px;font-weight:450}
header .quiet{margin:0 0 2px}
code,pre,.mono{font:13px/20px var(--mono)}
.quiet code,.quiet.mono{font-size:12px;line-height:18px}
pre{margin:0 0 10px;padding:10px 12px;border:1px solid var(--line);border-radius:5px;background:var(--bench);overflow-x:auto;overflow-wrap:normal}
blockquote{margin:0 0 10px;padding-left:12px;border-left:2px solid var(--line);color:var(--ink-2)}
a{color:var(--lane-a)}
.scroll{overflow-x:auto;margin-bottom:16px}
table{border-collapse:collapse}
th,td{padding:6px 20px 6px 0;border-bottom:1px solid var(--line);font-size:13px;line-height:20px;text-align:left;vertical-align:top;font-variant-numeric:tabular-nums}
th{font-weight:600}
.name{display:flex;min-width:160px}.name>.tile{flex:none}
.report{width:100%;overflow-wrap:normal}
.report th{color:var(--ink-3);font-size:11px;line-height:16px;font-weight:450;vertical-align:bottom;border-color:var(--line-2)}
.tile{display:inline-grid;place-items:center;width:20px;height:20px;margin-right:8px;border-radius:3px;background:var(--lane);color:var(--on-ink);font-size:12px;line-height:1;font-weight:650;vertical-align:middle;print-color-adjust:exact}
.report td:has(.bar){white-space:nowrap}
.bar{margin-right:10px;vertical-align:middle;fill:var(--lane)}
.bar>:first-child{fill:var(--line)}
.trace{display:block;max-width:100%;height:auto;margin:12px 0 6px;overflow:visible;font-weight:450}
.right{text-align:right}.center{text-align:center}
@media print{pre{white-space:pre-wrap;overflow-wrap:anywhere}.scroll{overflow:visible}tr,.trace,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}}
`;
