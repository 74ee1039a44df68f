/** Longer addresses contain tracking data and would dominate the text around them. */
const maxAddressChars = 200;

/**
 * Returns a link in the normal form: `[text](address)` if the address is absolute and adds
 * information, else only the text.
 */
export const linkText = (text: string, address: string | undefined): string => {
  const shown = text.trim();
  const target = address?.trim() ?? '';
  if (!/^(?:https?:\/\/|mailto:)/i.test(target) || target.length > maxAddressChars || /[\s()]/.test(target))
    return text;
  const bare = target.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');
  if (shown === '' || shown.includes(bare) || shown.includes('[')) return text;
  return text.replace(shown, () => `[${shown.replaceAll('\n', ' ')}](${target})`);
};
