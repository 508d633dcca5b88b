declare module '*.worklet.js' {
  /** The name of the file, beside the module that imports it. */
  const file: string;
  export default file;
}
