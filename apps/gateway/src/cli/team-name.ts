const MAX_NAME = 200;

/** A team's name as it was typed, without white space around it. Throws where it is empty or too long. */
export function teamName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME) throw new Error(`A team's name must have 1 to ${MAX_NAME} characters.`);
  return name;
}
