const defaults =
  /^(?:powerpoint[- ]presentation|untitled(?: ?\d+| document| presentation)?|(?:document|presentation|slide|book|doc) ?\d*)$/i;
const fileNames = /\.(?:docx?|pptx?|xlsx?|indd|qxd|tex|dvi|pdf|rtf|odt)$/i;

/** Returns the title in a file's properties, unless it is a program's default or a file name. */
export const meaningfulTitle = (title: string | undefined): string | undefined => {
  const trimmed = title?.replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, '').trim() ?? '';
  return trimmed === '' || defaults.test(trimmed) || fileNames.test(trimmed) ? undefined : trimmed;
};
