import { randomUUID } from 'node:crypto';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
  type PlatformServer,
  startPlatformServer,
} from '#emulators/platform/platform-server';
import {
  createSalesforceModel,
  type SalesforceField,
  type SalesforceModel,
  salesforceObjects,
} from '#emulators/salesforce/salesforce-model';
import { fieldOf, MalformedQuery, parseSoql, runSoql, type SoqlRecord } from '#emulators/salesforce/soql';

export interface SalesforceServer extends PlatformServer {
  readonly model: SalesforceModel;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A valid session id. */
  session(): string;
  /** Expires all sessions. */
  expireSessions(): void;
  readonly logins: () => number;
  /** Invalidates all query locators. */
  expireLocators(): void;
}

export interface SalesforceServerOptions {
  /** The maximum page size; default 200. */
  readonly batchSize?: number;
  /** The maximum length of a request line; default 16,384. */
  readonly maxUrlLength?: number;
  /** Additional fields of every object, to make queries long. */
  readonly extraFields?: number;
  /** The value of `instance_url`; the address of the server by default. */
  readonly instanceUrl?: string;
}

/** An error of Salesforce: a list. */
const salesforceError = (status: number, errorCode: string, message: string): PlatformResponse =>
  jsonResponse(status, [{ message, errorCode }]);

const refuse = (status: number, errorCode: string, message: string): never => {
  throw new PlatformError(salesforceError(status, errorCode, message));
};

const CODES: Readonly<Record<number, string>> = {
  401: 'INVALID_SESSION_ID',
  403: 'REQUEST_LIMIT_EXCEEDED',
  404: 'NOT_FOUND',
  500: 'UNKNOWN_EXCEPTION',
  503: 'SERVER_UNAVAILABLE',
};

/** Salesforce's REST API, with the token endpoint at `/services/oauth2/token`. */
export async function startSalesforceServer(options: SalesforceServerOptions = {}): Promise<SalesforceServer> {
  const { batchSize = 200, maxUrlLength = 16_384, extraFields = 0 } = options;
  const client = { clientId: '3MVG9.emulator.key', clientSecret: 'SALESFORCE-APP-SECRET' };
  const model = createSalesforceModel();
  const sessions = new Set<string>();
  const locators = new Map<string, readonly SoqlRecord[]>();
  let logins = 0;
  let origin = '';

  const newSession = () => {
    const session = `00DQ00000000001!${randomUUID()}`;
    sessions.add(session);
    return session;
  };
  const extra: readonly SalesforceField[] = Array.from({ length: extraFields }, (_, n) => ({
    name: `A_rather_long_name_of_a_field_${n}__c`,
    label: `Field ${n}`,
    type: 'string',
    nameField: false,
    autoNumber: false,
    relationshipName: null,
    referenceTo: [],
  }));
  const fieldsOf = (object: string) => {
    const name = Object.keys(salesforceObjects).find((known) => known.toLowerCase() === object.toLowerCase());
    const fields = name === undefined ? undefined : salesforceObjects[name];
    return name === undefined || fields === undefined ? undefined : { name, fields: [...fields, ...extra] };
  };

  const login = (request: PlatformRequest): PlatformResponse => {
    const form = new URLSearchParams(request.body);
    const error = (name: string, text: string) => jsonResponse(400, { error: name, error_description: text });
    if (!(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')) {
      return error('invalid_request', 'must use HTTP POST with a form');
    }
    if (form.get('grant_type') !== 'client_credentials')
      return error('unsupported_grant_type', 'grant type not supported');
    if (form.get('client_id') !== client.clientId) return error('invalid_client_id', 'client identifier invalid');
    if (form.get('client_secret') !== client.clientSecret) return error('invalid_client', 'invalid client credentials');
    logins += 1;
    return jsonResponse(200, {
      access_token: newSession(),
      signature: 'c2lnbmF0dXJl',
      scope: 'api',
      instance_url: options.instanceUrl ?? origin,
      id: `${origin}/id/00DQ00000000001/005Q00000000001`,
      token_type: 'Bearer',
      issued_at: String(Date.now()),
    });
  };

  const isField = (object: string, path: string): boolean => {
    const fields = fieldsOf(object)?.fields ?? [];
    const [head = '', ...rest] = path.split('.');
    if (rest.length === 0) return fields.some(({ name }) => name.toLowerCase() === head.toLowerCase());
    const relation = fields.find(({ relationshipName }) => relationshipName?.toLowerCase() === head.toLowerCase());
    const [target] = relation?.referenceTo ?? [];
    if (target === undefined) return false;
    return target === 'User' ? /^(Id|Name|Email)$/i.test(rest.join('.')) : isField(target, rest.join('.'));
  };

  /** A record with the fields of a query; related records are nested. */
  const shown = (record: SoqlRecord, fields: readonly string[], version: string, object: string) => {
    const answer: Record<string, unknown> = {
      attributes: { type: object, url: `/services/data/${version}/sobjects/${object}/${String(record.Id)}` },
    };
    for (const path of fields) {
      const [head = '', ...rest] = path.split('.');
      if (rest.length === 0) answer[head] = fieldOf(record, head);
      else if (fieldOf(record, head) === null) answer[head] = null;
      else {
        const before = answer[head];
        answer[head] = {
          attributes: {},
          ...(typeof before === 'object' ? before : {}),
          [rest.join('.')]: fieldOf(record, path),
        };
      }
    }
    return answer;
  };

  const batch = (records: readonly SoqlRecord[], from: number, locator: string, version: string): PlatformResponse => {
    const until = from + batchSize;
    const done = until >= records.length;
    const next = done ? {} : { nextRecordsUrl: `/services/data/${version}/query/${locator}-${until}` };
    return jsonResponse(200, { totalSize: records.length, done, ...next, records: records.slice(from, until) });
  };

  const query = (request: PlatformRequest, version: string): PlatformResponse => {
    const soql = request.query.get('q') ?? refuse(400, 'MALFORMED_QUERY', 'Request is missing the q parameter');
    const parsed = parseSoql(soql);
    const { name } =
      fieldsOf(parsed.object) ?? refuse(400, 'INVALID_TYPE', `sObject type '${parsed.object}' is not supported.`);
    for (const path of parsed.named) {
      if (!isField(name, path)) {
        refuse(400, 'INVALID_FIELD', `No such column '${path}' on entity '${name}'.`);
      }
    }
    const all = [...model.records.values()].filter((record) => record.attributes.type === name);
    const found = runSoql(parsed, all).map((record) => shown(record, parsed.fields, version, name));
    const locator = `01gQ${randomUUID().slice(0, 12)}`;
    locators.set(locator, found);
    return batch(found, 0, locator, version);
  };

  const more = (path: string, version: string): PlatformResponse => {
    const [, locator = '', from = ''] = /([^/]+)-(\d+)$/.exec(path) ?? [];
    const records = locators.get(locator) ?? refuse(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator');
    return batch(records, Number(from), locator, version);
  };

  const describe = (object: string): PlatformResponse => {
    const { name, fields } = fieldsOf(object) ?? refuse(404, 'NOT_FOUND', 'The requested resource does not exist');
    return jsonResponse(200, { name, label: name, queryable: true, fields });
  };

  const record = (object: string, id: string, version: string): PlatformResponse => {
    const { name, fields } = fieldsOf(object) ?? refuse(404, 'NOT_FOUND', 'The requested resource does not exist');
    const found = model.records.get(id);
    if (found?.attributes.type !== name)
      return salesforceError(404, 'NOT_FOUND', 'Provided external ID field does not exist or is not accessible');
    return jsonResponse(
      200,
      shown(
        found,
        fields.map((entry) => entry.name),
        version,
        name,
      ),
    );
  };

  const answer = (request: PlatformRequest): PlatformResponse => {
    const { method, path, headers } = request;
    if (path === '/services/oauth2/token') return login(request);
    if (request.url.length > maxUrlLength)
      return { status: 414, headers: { 'content-type': 'text/html' }, body: '<h1>URI Too Long</h1>' };
    if (!sessions.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      return salesforceError(401, 'INVALID_SESSION_ID', 'Session expired or invalid');
    }
    const [, version = '', resource = ''] = /^\/services\/data\/(v\d+\.0)\/(.*)$/.exec(path) ?? [];
    if (version === '' || method !== 'GET')
      return salesforceError(404, 'NOT_FOUND', 'The requested resource does not exist');
    const [kind = '', object = '', id = '', sub = ''] = resource.split('/').filter((part) => part !== '');
    try {
      if (kind === 'query') return object === '' ? query(request, version) : more(path, version);
      if (kind !== 'sobjects' || object === '')
        return refuse(404, 'NOT_FOUND', 'The requested resource does not exist');
      if (id === 'describe') return describe(object);
      if (sub === 'VersionData') {
        const content = model.fileOf(id) ?? refuse(404, 'NOT_FOUND', 'The requested resource does not exist');
        return { status: 200, headers: { 'content-type': 'application/octetstream' }, body: content };
      }
      return record(object, id, version);
    } catch (error) {
      if (error instanceof MalformedQuery) return salesforceError(400, 'MALFORMED_QUERY', error.message);
      throw error;
    }
  };

  const server = await startPlatformServer({
    refuse: (status, message) => salesforceError(status, CODES[status] ?? 'UNKNOWN_EXCEPTION', message),
    answer,
  });
  origin = server.origin;
  return {
    ...server,
    ...client,
    model,
    session: newSession,
    expireSessions: () => sessions.clear(),
    logins: () => logins,
    expireLocators: () => locators.clear(),
  };
}
