import css from './recorder.lazy.css';

// As a sheet made by a script, for the page's policy takes style sheets of its own files alone, and this one comes with the module.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
