import { fileURLToPath } from 'node:url';

/** The path of the widget's script, which `npm run generate` makes: one file of plain JavaScript for browsers. */
export const WIDGET_SCRIPT_FILE = fileURLToPath(new URL('./gen/widget.js', import.meta.url));
