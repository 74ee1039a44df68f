/** A file and its upload name, which includes the folder. */
export interface NamedFile {
  readonly name: string;
  readonly data: File;
}

const entriesOf = (folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> =>
  new Promise((resolve, reject) => {
    const reader = folder.createReader();
    const found: FileSystemEntry[] = [];
    // The reader returns batches and an empty one at the end.
    const read = () =>
      reader.readEntries((part) => {
        if (part.length === 0) return resolve(found);
        found.push(...part);
        read();
      }, reject);
    read();
  });

async function filesOf(entry: FileSystemEntry, folder: string): Promise<readonly NamedFile[]> {
  const name = `${folder}${entry.name}`;
  if (entry.isFile) {
    const data = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ name, data }];
  }
  const inside = await entriesOf(entry as FileSystemDirectoryEntry);
  return (await Promise.all(inside.map((child) => filesOf(child, `${name}/`)))).flat();
}

/** Returns the dropped files, including those in folders. */
export async function droppedFiles(dropped: DataTransfer): Promise<readonly NamedFile[]> {
  // The list is empty after the event handler returns.
  const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map((entry) => filesOf(entry, '')))).flat();
}
