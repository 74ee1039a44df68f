/** Longer addresses carry tracking data and would drown the text around them. */
const longestAddress = 200;

/**
 * A link in the normal form: `[text](address)` where the address is one a reader can go to and says more than the text,
 * else the text alone. Addresses relative to a page mean nothing away from it.
 */
export const linkText = (text: string, address: string | undefined): string => {
  const shown = text.trim();
  const target = address?.trim() ?? '';
  if (!/^(?:https?:\/\/|mailto:)/i.test(target) || target.length > longestAddress || /[\s()]/.test(target)) return text;
  const bare = target.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');
  if (shown === '' || shown.includes(bare) || shown.includes('[')) return text;
  return text.replace(shown, () => `[${shown.replaceAll('\n', ' ')}](${target})`);
};
