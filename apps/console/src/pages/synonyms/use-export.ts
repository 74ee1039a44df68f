import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { saveFile } from '#ui/save-file.ts';

/** Downloads the synonyms of a source as a text file; without one, the custom ones. */
export function useExport(source: string) {
  const name = source === '' ? 'custom' : source;
  return useChange(async () => {
    const { text = '' } = await lectern().synonyms.export({ source: name });
    saveFile(`synonyms-${name}.txt`, new Blob([text], { type: 'text/plain' }));
  }, []);
}
