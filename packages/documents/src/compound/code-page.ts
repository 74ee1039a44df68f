/** The labels of Windows code pages that differ from `windows-<number>`. */
const LABELS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  20127: 'windows-1252',
  20866: 'koi8-r',
  21866: 'koi8-u',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
  65000: 'utf-8',
  65001: 'utf-8',
};

/** Decodes text in a Windows code page. Unknown code pages are read as Western European. */
export function decodeCodePage(bytes: Uint8Array, codePage: number): string {
  const label = LABELS[codePage] ?? `windows-${codePage}`;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
