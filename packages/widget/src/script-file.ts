import { fileURLToPath } from 'node:url';

/** The path of the script for pages, which `npm run generate` creates. */
export const WIDGET_SCRIPT_FILE = fileURLToPath(new URL('./gen/widget.js', import.meta.url));

/** The path of the module that the script loads when a visitor asks questions. */
export const WIDGET_ASK_FILE = fileURLToPath(new URL('./gen/widget-ask.js', import.meta.url));
