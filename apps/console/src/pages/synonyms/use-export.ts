import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';

/** Downloads the synonyms of a source as a text file; without one, the custom ones. */
export function useExport(source: string) {
  const name = source === '' ? 'custom' : source;
  return useChange(async () => {
    const { text = '' } = await lectern().synonyms.export({ source: name });
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `synonyms-${name}.txt`;
    link.click();
    URL.revokeObjectURL(url);
  }, []);
}
