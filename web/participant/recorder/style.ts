import css from './recorder.lazy.css';

// A constructed style sheet, because the Content-Security-Policy allows only the page's own style elements, and
// this CSS comes with the module.
const styles = new CSSStyleSheet();
styles.replaceSync(css);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
