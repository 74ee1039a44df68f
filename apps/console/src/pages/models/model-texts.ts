import type { SearchModel } from '#api/types.ts';
import { models } from '#texts/en/models.ts';
import { t } from '#texts/texts.ts';

type Known = keyof typeof models.known;

/** The id of the installation's own model, which is built in or configured. */
const DEFAULT_ID = 'default';

function keyOf({ id, title }: SearchModel): Known | undefined {
  if (id === DEFAULT_ID) return title === models.known.builtIn.title ? 'builtIn' : 'configured';
  return Object.hasOwn(models.known, id) ? (id as Known) : undefined;
}

/** Returns the title and the description of a model. The server writes them in English. */
export function modelTexts(model: SearchModel): { readonly title: string; readonly description: string } {
  const key = keyOf(model);
  if (key === undefined) return { title: model.title, description: model.description };
  return { title: t(`models.known.${key}.title`), description: t(`models.known.${key}.description`) };
}
