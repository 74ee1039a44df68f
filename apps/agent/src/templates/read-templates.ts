import { readdirSync, readFileSync } from 'node:fs';
import { type Template, templateFile } from '#templates/template';

const FOLDER = new URL('../../templates/', import.meta.url);

/**
 * Reads the templates that ship with Lectern. Throws for an invalid file, so that the service fails
 * at startup.
 */
export function readTemplates(folder: URL = FOLDER): readonly Template[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files
    .map((name) => {
      const parsed = templateFile.safeParse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
      if (!parsed.success) throw new Error(`The template ${name} is invalid: ${parsed.error.message}`);
      if (`${parsed.data.id}.json` !== `tpl_${name}`)
        throw new Error(`The id of the template ${name} does not match its file name.`);
      return parsed.data;
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
