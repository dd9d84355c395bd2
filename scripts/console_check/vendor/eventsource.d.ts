// What the vendored module exports: the names of scripts/console_vendor/eventsource.js, with their packages' types.

export { createParser } from 'eventsource-parser';
