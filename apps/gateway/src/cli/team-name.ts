const MAX_NAME = 200;

/** Trims a team name. Throws if it is empty or too long. */
export function teamName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME) throw new Error(`A team name must have 1 to ${MAX_NAME} characters.`);
  return name;
}
