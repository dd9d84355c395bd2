// No validator: it would send the document's address to a server elsewhere.
SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#docs',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
});
