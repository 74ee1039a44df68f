import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { WIDGET_SCRIPT_FILE } from '#script-file';

// A classic script, because a module cannot find its own script tag.
await build({
  input: fileURLToPath(new URL('../src/browser/main.ts', import.meta.url)),
  output: { file: WIDGET_SCRIPT_FILE, format: 'iife', minify: true },
  platform: 'browser',
  logLevel: 'warn',
});
