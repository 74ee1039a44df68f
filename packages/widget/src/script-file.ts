import { fileURLToPath } from 'node:url';

/** The path of the script for browsers, which `npm run generate` creates. */
export const WIDGET_SCRIPT_FILE = fileURLToPath(new URL('./gen/widget.js', import.meta.url));
