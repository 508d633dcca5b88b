// Shows one of the three API documents, named by the address: ./?document=legacy.
const requested = new URLSearchParams(location.search).get('document');
const shown = document.querySelector(`nav [data-document="${CSS.escape(requested ?? 'v1')}"]`) ?? document.querySelector('nav a');
const address = `/openapi/${shown.dataset.document}.yaml`;

shown.setAttribute('aria-current', 'page');
document.getElementById('source').href = address;
document.getElementById('source-json').href = address.replace(/yaml$/, 'json');
document.title = `${shown.textContent} · API reference · Verbatim`;

SwaggerUIBundle({
  url: address,
  domNode: document.getElementById('reference'),
  validatorUrl: null, // nothing leaves this server
  deepLinking: true, // each operation has an address
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: false,
  persistAuthorization: false, // an API key is forgotten with the page
  tryItOutEnabled: false,
  syntaxHighlight: { activated: true, theme: 'agate' },
});
