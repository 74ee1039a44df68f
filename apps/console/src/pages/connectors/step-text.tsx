/** The text of a step of a guide. Every second part between backquotes is code. */
export function StepText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text do not move.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
