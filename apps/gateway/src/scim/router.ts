import { AppError, notFound } from '@lectern/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { Context } from '#context';
import { readJson } from '#http/body/read-json';
import { requestIdOf } from '#http/envelope';
import { errorHandler, unknownPath } from '#http/errors';
import { measure } from '#pipeline/measure';
import { admitScim, type ScimCall } from '#scim/context';
import { MAX_COUNT, resourceTypes, schemas, serviceProviderConfig } from '#scim/discovery';
import { scimError, sendScim, sendScimError } from '#scim/errors';
import { parseFilter } from '#scim/filter';
import { groups } from '#scim/groups';
import type { Fields } from '#scim/patch';
import { isWanted, projected, readProjection } from '#scim/projection';
import { parseResource, type Resources } from '#scim/resources';
import { users } from '#scim/users';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const DEFAULT_COUNT = 100;
const MAX_OPERATIONS = 1_000;
const MAX_INDEX = 1_000_000_000;

const resource = z.record(z.string(), z.unknown());
const patchSchema = z.object({
  operations: z
    .array(
      z.object({
        op: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
});

type Handle = (call: ScimCall, request: Request, response: Response) => Promise<void> | void;

/** Reads a JSON object. RFC 7644, 3.1, allows both media types. */
async function readResource({ config }: Context, request: Request): Promise<Fields> {
  const type = request.headers['content-type']?.replace(/^application\/scim\+json/i, 'application/json');
  const headers = { ...request.headers, ...(type === undefined ? {} : { 'content-type': type }) };
  const source = { headers, bytes: request, isComplete: () => request.complete };
  return parseResource(resource, Object(await readJson(source, config, 'MAX_JSON_BYTES')));
}

/** The operations of a PATCH. Providers differ in the case of their names. */
function readPatch(body: Fields) {
  const operations = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1];
  return parseResource(patchSchema, { operations }).operations;
}

const queryOf = ({ query }: Request): Fields => query;

function numberIn(query: Fields, name: string, fallback: number): number {
  const value = query[name];
  if (value === undefined) return fallback;
  if (typeof value === 'string' && /^-?\d{1,9}$/.test(value)) return Number(value);
  throw scimError('invalidValue', `${name}: must be a whole number.`);
}

const listOf = (resources: readonly Fields[], total: number, startIndex: number): Fields => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** The routes of one type of resource. */
function addResources(router: Router, path: string, ctx: Context, at: Admitted, resources: Resources): void {
  const idOf = ({ params }: Request) => String(params.id);
  const send = (request: Request, response: Response, status: number, found: Fields) =>
    sendScim(response, status, projected(found, readProjection(queryOf(request))));

  const all = router.route(path);
  all.get(
    at(`list${path.slice(1)}`, async (call, request, response) => {
      const query = queryOf(request);
      const projection = readProjection(query);
      const filter = typeof query.filter === 'string' ? parseFilter(query.filter) : [];
      const startIndex = Math.min(MAX_INDEX, Math.max(1, numberIn(query, 'startIndex', 1)));
      const count = Math.min(MAX_COUNT, Math.max(0, numberIn(query, 'count', DEFAULT_COUNT)));
      const page = { startIndex, count, withMembers: isWanted(projection, 'members') };
      const found = await resources.list(ctx, call, filter, page);
      const listed = found.resources.map((one) => projected(one, projection));
      sendScim(response, 200, listOf(listed, found.total, startIndex));
    }),
  );
  all.post(
    at(`create${path.slice(1, -1)}`, async (call, request, response) => {
      const created = await resources.create(ctx, call, await readResource(ctx, request));
      response.setHeader('Location', `${call.baseUrl}${path}/${String(created.id)}`);
      send(request, response, 201, created);
    }),
  );

  const one = router.route(`${path}/:id`);
  one.get(
    at(`get${path.slice(1, -1)}`, async (call, request, response) =>
      send(request, response, 200, await resources.get(ctx, call, idOf(request))),
    ),
  );
  one.put(
    at(`replace${path.slice(1, -1)}`, async (call, request, response) => {
      const body = await readResource(ctx, request);
      send(request, response, 200, await resources.replace(ctx, call, idOf(request), body));
    }),
  );
  one.patch(
    at(`patch${path.slice(1, -1)}`, async (call, request, response) => {
      const operations = readPatch(await readResource(ctx, request));
      send(request, response, 200, await resources.patch(ctx, call, idOf(request), operations));
    }),
  );
  one.delete(
    at(`delete${path.slice(1, -1)}`, async (call, request, response) => {
      await resources.remove(ctx, call, idOf(request));
      sendScim(response, 204);
    }),
  );
  for (const route of [all, one]) route.all(otherMethod);
}

const otherMethod: RequestHandler = ({ method }) => {
  throw new AppError('method_not_allowed', `${method} is not supported here.`);
};

/** Lists that describe the service, with their entries. */
function addDescriptions(router: Router, path: string, at: Admitted, entries: (baseUrl: string) => readonly Fields[]) {
  const operation = `get${path.slice(1)}`;
  router.get(
    path,
    at(operation, ({ baseUrl }, _request, response) => {
      const found = entries(baseUrl);
      sendScim(response, 200, listOf(found, found.length, 1));
    }),
  );
  router.get(
    `${path}/:id`,
    at(operation, ({ baseUrl }, { params }, response) => {
      const found = entries(baseUrl).find(({ id }) => id === params.id);
      if (found === undefined) throw notFound('resource', String(params.id).slice(0, 100));
      sendScim(response, 200, found);
    }),
  );
}

type Admitted = (operation: string, handle: Handle) => RequestHandler[];

/**
 * Serves SCIM 2.0 (RFC 7643 and 7644) at `/scim/v2`, with which identity providers manage people and
 * groups. Its requests need a SCIM token. Browsers have no use for it, so it allows no other origins.
 */
export function scimRouter(ctx: Context): Router {
  const router = Router({ caseSensitive: false });
  const at: Admitted = (operation, handle) => [
    measure({ id: `scim.${operation}` }),
    async (request, response) => {
      const started = performance.now();
      response.once('close', () => {
        const { statusCode: status } = response;
        const durationMs = Math.round(performance.now() - started);
        ctx.log.info(
          { requestId: requestIdOf(response), operation: `scim.${operation}`, status, durationMs },
          'request',
        );
      });
      await handle(await admitScim(ctx, request, response), request, response);
    },
  ];
  router.use((_request, response, next) => {
    response.removeHeader('Access-Control-Allow-Origin');
    next();
  });
  addResources(router, '/Users', ctx, at, users);
  addResources(router, '/Groups', ctx, at, groups);
  addDescriptions(router, '/ResourceTypes', at, resourceTypes);
  addDescriptions(router, '/Schemas', at, schemas);
  router.get(
    '/ServiceProviderConfig',
    at('getServiceProviderConfig', ({ baseUrl }, _request, response) =>
      sendScim(response, 200, serviceProviderConfig(baseUrl)),
    ),
  );
  router.use(unknownPath);
  router.use(errorHandler(ctx.log, sendScimError));
  return Router().use('/scim/v2', router);
}
