import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { WIDGET_ASK_FILE, WIDGET_SCRIPT_FILE } from '#script-file';
import { ASK_OPTIONS } from './ask-bundle.ts';

// A classic script, because a module cannot find its own script tag.
await build({
  input: fileURLToPath(new URL('../src/browser/main.ts', import.meta.url)),
  output: { file: WIDGET_SCRIPT_FILE, format: 'iife', minify: true },
  platform: 'browser',
  logLevel: 'warn',
});
await build({
  ...ASK_OPTIONS,
  input: fileURLToPath(new URL('../src/browser/ask/ask-box.ts', import.meta.url)),
  output: { file: WIDGET_ASK_FILE, format: 'esm', minify: true },
  logLevel: 'warn',
});
