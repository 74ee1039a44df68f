import { lectern } from '#api/lectern.ts';
import { saveFile } from '#ui/save-file.ts';

/** Events that are joined to one piece of the file. */
const PIECE = 1_000;

/** Downloads the matching events of the audit log as JSON Lines. */
export async function downloadAudit({ action, resourceId }: { readonly action: string; readonly resourceId: string }) {
  const query = { ...(action === '' ? {} : { action }), ...(resourceId === '' ? {} : { resourceId }) };
  // A Blob can be on disk, which a text cannot.
  let file = new Blob([]);
  let lines: string[] = [];
  const add = () => {
    file = new Blob([file, ...lines]);
    lines = [];
  };
  for await (const event of lectern().analytics.exportAudit(query)) {
    lines.push(`${JSON.stringify(event)}\n`);
    if (lines.length === PIECE) add();
  }
  add();
  saveFile(`audit-${new Date().toISOString().slice(0, 10)}.jsonl`, file);
}
