// SPDX-License-Identifier: BSL-1.0
//
// How a report looks: the style of the page, and the little script that folds blocks.
//
// One column of calm text; figures in tables with digits of one width; light and dark as the reader's system has it; on paper
// without buttons, every colour kept. A bar of a timeline is an element with two numbers of cycles, --a where it starts and --n
// how long it is; its table has --t, the cycles of the axis. So positions in the page are cycles, and the browser does the rest.
// Nothing is known by colour alone: each row says its reasons in words. Without the script all blocks still open and close.
#pragma once

namespace ww::report {

inline constexpr const char* html_style = R"css(
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--soft:#57606a;--line:#d5dae0;--tint:#f5f7f9;--head:#eef1f4;--link:#0b5cad;--mark:#fff3c4;
--crit:#b3261e;--now:#1c2128;--fly:#1a7f71;--read:#a07d2c;--d:#2f6fde;--b:#c4620a;--p:#8250df;--k:#bf3989;--c:#8c959f;--z:#cf222e;
--e0:#1a7f37;--e1:#2f6fde;--e2:#1a7f71;--e3:#cf222e;--e4:#c4620a;--e5:#8c959f}
@media(prefers-color-scheme:dark){:root{--bg:#0f1318;--fg:#e3e8ee;--soft:#9aa5b1;--line:#2d343d;--tint:#161b22;--head:#1b222b;--link:#78b4ff;--mark:#3d3415;
--crit:#ff7b72;--now:#f0f4f8;--fly:#3fb8a5;--read:#c9a74e;--d:#6ea1ff;--b:#f0883e;--p:#b88aff;--k:#f778ba;--c:#7d8590;--z:#ff6b6b;
--e0:#3fb950;--e1:#6ea1ff;--e2:#3fb8a5;--e3:#ff6b6b;--e4:#f0883e;--e5:#7d8590}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
font-variant-numeric:tabular-nums;-webkit-print-color-adjust:exact;print-color-adjust:exact;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body>*{max-width:100rem;margin-inline:auto;padding-inline:clamp(.75rem,2.5vw,2rem)}
header{padding-block:1.6rem .6rem}footer{padding-block:1rem 3rem;color:var(--soft)}
h1{font-size:1.5rem;margin:0}h2{font-size:1.2rem;margin:0;overflow-wrap:anywhere}h3{font-size:1rem;margin:1.6rem 0 .5rem}h4{font-size:.875rem;margin:0}
p{margin:.4rem 0;max-width:75ch}header p,.kernel>.soft{max-width:none}.soft{color:var(--soft)}a{color:var(--link);text-underline-offset:.15em}
a:focus-visible,summary:focus-visible,button:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem;z-index:2}
.kernel{border-top:1px solid var(--line);padding-block:1.6rem .6rem}
.lead{font-size:1.05rem}.lead b{font-weight:650}
.grid{display:grid;gap:1rem 2.5rem;margin-top:.8rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));align-items:start}
table{border-collapse:collapse;font-size:.8125rem;line-height:1.4}caption{text-align:left;color:var(--soft);padding:0 0 .35rem}
th,td{padding:.2rem .6rem .2rem 0;text-align:right;vertical-align:top;white-space:nowrap;font-weight:400}
thead th{color:var(--soft);vertical-align:bottom;border-bottom:1px solid var(--line)}
tbody tr+tr>*{border-top:1px solid var(--line)}tbody th,.l{text-align:left}.grid table,.wide{width:100%}
.scroll{overflow-x:auto;margin:.3rem 0 1rem}.m,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.75rem}
.up{white-space:normal;overflow-wrap:anywhere}
.sw{display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.45rem;vertical-align:-.05rem}
.share{display:flex;height:.7rem;min-width:6rem;margin:.15rem 0;background:var(--head);border-radius:2px;overflow:hidden}.share i{width:calc(var(--n)*1%)}
.d{background:var(--d)}.b{background:var(--b)}.p{background:var(--p)}.k{background:var(--k)}.c{background:var(--c)}.z{background:var(--z)}
.e0{background:var(--e0)}.e1{background:var(--e1)}.e2{background:var(--e2)}.e3{background:var(--e3)}.e4{background:var(--e4)}.e5{background:var(--e5)}
.i{background:var(--now)}.f{background:var(--fly)}.r{background:var(--read)}
details{border:1px solid var(--line);border-radius:6px;margin:.6rem 0;background:var(--bg)}
summary{padding:.45rem .8rem;cursor:pointer;background:var(--tint);border-radius:6px}details[open]>summary{border-bottom:1px solid var(--line);border-radius:6px 6px 0 0}
summary h3{display:inline;margin:0;font-size:.9375rem}summary span{color:var(--soft);margin-left:.6rem;font-size:.8125rem}
.body{padding:.7rem .8rem .2rem}.sum{font-size:.8125rem;color:var(--soft);margin:.15rem 0 .3rem;max-width:none}
.tl td,.tl th{padding:.1rem .6rem .1rem 0}.tl{width:100%}.tl .w{white-space:nowrap;text-align:left}.tl .w div{line-height:1.35}
.tl td.l.m{max-width:26rem;overflow:hidden;text-overflow:ellipsis}
.tl tr:target>*,.tl tr:hover>*{background:var(--mark)}
.tl td:first-child,.tl thead th:first-child{position:sticky;left:0;background:var(--bg);z-index:1;padding-left:.35rem}
.tl tr.x td:first-child{box-shadow:inset 3px 0 var(--crit)}.x .s{color:var(--crit);font-weight:650}
.tl .t{width:36%;min-width:16rem;padding-inline:0 1rem}
.t>div,.t>span{display:block;position:relative;height:1.05rem;overflow:hidden}
td.t>div{background:repeating-linear-gradient(90deg,var(--line) 0 1px,transparent 1px calc(var(--g)*100%/var(--t)))}
td.t i{position:absolute;left:calc(var(--a)*100%/var(--t));width:calc(var(--n)*100%/var(--t));top:.2rem;height:.65rem}
td.t .i{min-width:2px;top:.05rem;height:.95rem}td.t .f{top:.44rem;height:.17rem}td.t .r{top:.78rem;height:.12rem}
.t .u{height:2rem}.t svg{width:100%;height:100%;display:block}.t path{fill:var(--head);stroke:var(--soft);stroke-width:1;vector-effect:non-scaling-stroke}
.t .ax{font-size:.6875rem}.t .ax b{position:absolute;left:calc(var(--a)*100%/var(--t));font-weight:400;padding-left:2px;border-left:1px solid var(--line)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;font-size:.875rem;max-width:80ch}dt{font-weight:600}dd{margin:0}
ul.key{list-style:none;padding:0;margin:.5rem 0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.8125rem}
button{font:inherit;font-size:.8125rem;color:inherit;background:var(--tint);border:1px solid var(--line);border-radius:6px;padding:.2rem .7rem;cursor:pointer;margin-right:.4rem}
@media(max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}.tl .t{min-width:14rem}.tl td.l.m{max-width:15rem}}
@media print{body{font-size:10pt}button,.skip{display:none}.scroll{overflow:visible}table{font-size:7.5pt}.m{font-size:7pt}.tl td.l.m{max-width:13rem}
.tl td:first-child,.tl thead th:first-child{position:static}.tl .t{min-width:9rem;width:22%}.tl td,.tl th{padding-right:.4rem}tr{break-inside:avoid}a{color:inherit}@page{size:landscape;margin:12mm}}
)css";

inline constexpr const char* html_script = R"js(
(function(){
var all=function(){return document.querySelectorAll('details')};
var set=function(open){all().forEach(function(d){d.open=open})};
var show=function(){var e=location.hash&&document.getElementById(location.hash.slice(1));
for(var d=e&&e.closest('details');d;d=d.parentElement.closest('details'))d.open=true;if(e)e.scrollIntoView({block:'center'})};
document.querySelectorAll('button').forEach(function(b){b.hidden=false;b.addEventListener('click',function(){set(b.dataset.open==='1')})});
window.addEventListener('hashchange',show);window.addEventListener('beforeprint',function(){set(true)});show();
})();
)js";

}  // namespace ww::report
