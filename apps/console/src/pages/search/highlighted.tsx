interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text with marked spans. Spans are UTF-16 offsets; overlapping spans are skipped. */
export function Highlighted({ text, spans }: { readonly text: string; readonly spans: readonly Span[] }) {
  const parts = [];
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < at || end > text.length) continue;
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
