//! The style sheet of the pages.

pub(super) const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { max-width: 46rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid #8884; }
.number { text-align: right; }
.faint { opacity: .7; }
td:first-child { white-space: nowrap; }
.drawing { overflow-x: auto; border: 1px solid #8884; border-radius: 4px; }
.drawing svg { display: block; }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
nav a, nav strong { margin-right: 1rem; }
";
