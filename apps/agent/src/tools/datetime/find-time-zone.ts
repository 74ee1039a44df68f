import { canonicalTimeZone } from '@lectern/service-kit';

/** Well-known cities that are not in the IANA database, with their zones. */
const CITIES: Readonly<Record<string, string>> = {
  'abu dhabi': 'Asia/Dubai',
  atlanta: 'America/New_York',
  barcelona: 'Europe/Madrid',
  beijing: 'Asia/Shanghai',
  bengaluru: 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  bombay: 'Asia/Kolkata',
  boston: 'America/New_York',
  'cape town': 'Africa/Johannesburg',
  cologne: 'Europe/Berlin',
  dallas: 'America/Chicago',
  delhi: 'Asia/Kolkata',
  edinburgh: 'Europe/London',
  frankfurt: 'Europe/Berlin',
  geneva: 'Europe/Zurich',
  hamburg: 'Europe/Berlin',
  hanoi: 'Asia/Ho_Chi_Minh',
  houston: 'America/Chicago',
  kyoto: 'Asia/Tokyo',
  'las vegas': 'America/Los_Angeles',
  lyon: 'Europe/Paris',
  manchester: 'Europe/London',
  miami: 'America/New_York',
  milan: 'Europe/Rome',
  montreal: 'America/Toronto',
  mumbai: 'Asia/Kolkata',
  munich: 'Europe/Berlin',
  'new delhi': 'Asia/Kolkata',
  osaka: 'Asia/Tokyo',
  philadelphia: 'America/New_York',
  'rio de janeiro': 'America/Sao_Paulo',
  'san diego': 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  shenzhen: 'Asia/Shanghai',
  stuttgart: 'Europe/Berlin',
  'tel aviv': 'Asia/Jerusalem',
  washington: 'America/New_York',
  wellington: 'Pacific/Auckland',
};

const plain = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('_', ' ').trim();

/** IANA zones by the city in their names. */
const byCity: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CITIES),
  ...Intl.supportedValuesOf('timeZone').map((zone) => [plain(zone.slice(zone.lastIndexOf('/') + 1)), zone] as const),
]);

/**
 * Returns the time zone for an IANA name (`Asia/Tokyo`, any case), an offset (`+05:30`, `UTC+2`) or
 * a city. Undefined for an unknown one.
 */
export function findTimeZone(name: string): string | undefined {
  const trimmed = name.trim();
  const offset = /^(?:utc|gmt)?\s*([+-]\d{1,2})(?::?(\d{2}))?$/i.exec(trimmed);
  if (offset !== null) {
    const [, hours = '', minutes = '00'] = offset;
    return canonicalTimeZone(`${hours[0]}${hours.slice(1).padStart(2, '0')}:${minutes}`);
  }
  return canonicalTimeZone(trimmed) ?? byCity.get(plain(trimmed.split(',')[0] ?? ''));
}
