const defaults =
  /^(?:powerpoint[- ]presentation|untitled(?: ?\d+| document| presentation)?|(?:document|presentation|slide|book|doc) ?\d*)$/i;
const fileNames = /\.(?:docx?|pptx?|xlsx?|indd|qxd|tex|dvi|pdf|rtf|odt)$/i;

/** The title that a file's properties give, unless it is what a program fills in by itself or the name of a file. */
export const meaningfulTitle = (title: string | undefined): string | undefined => {
  const said = title?.replace(/^Microsoft (?:Word|PowerPoint|Excel) - /, '').trim() ?? '';
  return said === '' || defaults.test(said) || fileNames.test(said) ? undefined : said;
};
