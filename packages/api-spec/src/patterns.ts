/** Patterns of the document, in the syntax that JavaScript and Python share. */

/** Any text that PostgreSQL can store. */
export const STORABLE = '^[^\\u0000]*$';

/** The same with a character that is not white space. */
export const NOT_BLANK = '^[^\\u0000]*[^\\s\\uFEFF\\u0000][^\\u0000]*$';

/** A name in an object of the caller. */
export const FIELD_NAME = '^(?!__proto__$)[^\\u0000]*$';

export const HTTP_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\uFEFF\\u0000]+$';

/** The URL of a server, with or without a path: no user, query or fragment. */
export const SERVER_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\uFEFF\\u0000/?#@]+(/[^\\s\\uFEFF\\u0000?#]*)?$';

/** The same without a path. */
export const ORIGIN_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\uFEFF\\u0000/?#@]+/?$';

const PORT = '(:(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5]))?';

/** The URL of a token endpoint. Secrets are sent to it, so only on this machine it needs no TLS. */
export const TOKEN_URL = `^([Hh][Tt][Tt][Pp][Ss]://[^\\s\\uFEFF\\u0000/?#@]+|[Hh][Tt][Tt][Pp]://(localhost|127\\.0\\.0\\.1)${PORT})(/[^\\s\\uFEFF\\u0000?#]*)?$`;

/** A time of RFC 3339 without leap seconds. */
export const TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$';

/** Who can read a document. */
export const PRINCIPAL = '^(public|(user|group):[^\\s\\uFEFF\\u0000]+)$';

const LABEL = '[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?';

/** A host, `*.` before it for all subdomains, and a port. */
export const HOST = `^(\\*\\.)?((${LABEL}\\.)*${LABEL}|\\[[0-9A-Fa-f:.]+\\])${PORT}$`;

const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

const GROUP = '[0-9A-Fa-f]{1,4}';
/** Full, or with `::` for any number of zero groups. */
const IPV6 = `((${GROUP}:){7}${GROUP}|(${GROUP}:){1,7}:|${Array.from({ length: 6 }, (_, at) => `(${GROUP}:){1,${6 - at}}(:${GROUP}){1,${at + 1}}`).join('|')}|:(:${GROUP}){1,7}|::)`;

/** A host that a crawler can request: a name or an IPv4 address, with or without a port. */
export const CRAWLED_HOST = `^((${LABEL}\\.)*[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9_])?|${BYTE}(\\.${BYTE}){3})${PORT}$`;

/** A URL that a crawler can request: no user and no white space. */
export const CRAWLED_URL = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\uFEFF\\u0000/?#@\\\\]+([/?#][^\\s\\uFEFF\\u0000]*)?$';

/** An IP address or a CIDR range. Lectern also accepts IPv6 notations that end with an IPv4 address. */
export const IP_RANGE = `^(${BYTE}(\\.${BYTE}){3}(/([12]?\\d|3[0-2]))?|${IPV6}(/([1-9]?\\d|1[01]\\d|12[0-8]))?)$`;

/** A URL prefix. Its host is a name, whose last part does not begin with a digit, or an IP address. */
export const REFERER = `^(https?://)?(\\*\\.)?((${LABEL}\\.)*[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9_])?|${BYTE}(\\.${BYTE}){3})${PORT}(/[^?#\\s\\uFEFF\\u0000]*)?$`;

/** The key of a Confluence space. */
export const SPACE_KEY = '^[^\\s\\uFEFF/\\u0000]+$';

/** The key of a Jira project. */
export const PROJECT_KEY = '^[A-Za-z][A-Za-z0-9_]*$';

const SEGMENT = '\\.?[A-Za-z0-9_][A-Za-z0-9_.-]*';

/** A password for an IMAP server: without line breaks. */
export const LINE_OF_LOGIN = '^[^\\u0000\\r\\n]+$';

/** The name of a user or a mailbox of an IMAP server. */
export const LOGIN_NAME = '^[^\\s\\u0000-\\u001f\\u007f-\\u009f*]+$';

/** The full path of a GitLab project. */
export const PROJECT_PATH = `^${SEGMENT}(/${SEGMENT})+$`;

/** The full path of a GitLab group. */
export const GROUP_PATH = `^${SEGMENT}(/${SEGMENT})*$`;

const UUID = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';
const DOMAIN = '([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z]+';

/** An id of Entra ID. */
export const ENTRA_ID = `^${UUID}$`;

/** The URL or the id of a SharePoint site, or `all`. */
export const SHAREPOINT_SITE = `^(all|[Hh][Tt][Tt][Pp][Ss]://${DOMAIN}(/[^\\s\\uFEFF\\u0000?#\\\\]*)?|${DOMAIN},${UUID},${UUID})$`;

/** The address or the id of a user in Entra ID, or `all`. */
export const ENTRA_USER = `^(all|[A-Za-z0-9'._!^~+-]+@${DOMAIN}|${UUID})$`;

/** The address or the id of one user or group in Entra ID. */
export const ENTRA_ACCOUNT = `^([A-Za-z0-9'._!^~+-]+@${DOMAIN}|${UUID})$`;

/** The address of a Google account. */
export const ADDRESS = '^[^\\s\\uFEFF@\\u0000]+@[^\\s\\uFEFF@\\u0000]+$';

const MAIL = '[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9.-]{1,100}';
const READER = `(user:${MAIL}|group:${MAIL}|group:[a-z0-9_]{1,50}:[A-Za-z0-9._@/-]{1,100})`;

/** A shared mailbox and its readers. */
export const SHARED_MAILBOX = `^${MAIL}: ?${READER}(, ?${READER}){0,99}$`;

/** The path of an organizational unit of Google Workspace. */
export const ORG_UNIT = '^/([^/\\u0000]*[^/\\s\\uFEFF\\u0000](/[^/\\u0000]*[^/\\s\\uFEFF\\u0000])*)?$';

/** The name or the id of a Slack channel. */
export const CHANNEL = '^#?[^\\s\\uFEFF#\\u0000]+$';

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069';
const SPACE = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\uFEFF';

/**
 * Text with a character that is not white space, without control characters, and without those that
 * change the direction of the text around it.
 */
export const ONE_LINE = `^[${SPACE}]*[^${SPACE}${CONTROL}][^${CONTROL}]*$`;
