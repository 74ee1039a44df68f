import { language } from '#texts/texts.ts';

const money = new Intl.NumberFormat(language(), { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** Formats an amount of money. Its currency is that of the prices, which Lectern does not know. */
export const moneyText = (amount: number): string => money.format(amount);
