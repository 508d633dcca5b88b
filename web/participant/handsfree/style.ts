import css from './hands_free.lazy.css';

// A constructed style sheet, as the recorder has one.
const styles = new CSSStyleSheet();
styles.replaceSync(css);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
