declare module '*.lazy.css' {
  const css: string;
  export default css;
}
