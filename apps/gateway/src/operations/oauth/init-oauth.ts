import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers, timestamp } from '#http/answer-schema';
import { jsonBody } from '#http/body/json-body';
import { id, name } from '#http/fields';
import { defineOperation, none } from '#http/operation';
import { time } from '#http/time';
import { isOwnPage, newBrowserSecret, oauthCookie } from '#operations/oauth/browser';
import { checkRedirect } from '#operations/oauth/check-redirect';
import { callbackAddress, publicAddress } from '#operations/oauth/public-address';

const body = z
  .strictObject({
    provider: z.string().min(1).max(50),
    /** Where the user goes in the end; without it the callback answers JSON. */
    redirectUri: z.string().min(1).max(2_048).optional(),
    /** Either a connector that there is… */
    connectorId: id.optional(),
    /** …or what a new one is made of. */
    name: name.optional(),
    collection: id.optional(),
  })
  .meta({ examples: [{ provider: 'notion', name: 'Wiki', collection: 'col_01h455vb4pex5vsknk084sn02q' }] });

const begunSchema = z
  .object({
    authorizationUrl: z.string().meta({ description: 'Where the user is to be sent' }),
    state: z.string(),
    connectorId: z.string(),
    expiresAt: timestamp.nullable(),
  })
  .meta({
    id: 'BegunAuthorization',
    examples: [
      {
        authorizationUrl: 'https://api.notion.com/v1/oauth/authorize?state=s',
        state: 's',
        connectorId: 'con_01h455vb4pex5vsknk084sn02q',
        expiresAt: '2026-11-21T10:10:00.000Z',
      },
    ],
  });

export const initOAuth = defineOperation({
  id: 'initOAuth',
  method: 'post',
  path: '/api/v1/oauth/init',
  summary: 'Begin the authorisation of a connector in the browser',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(body),
  success: 200,
  answer: answers(begunSchema),
  errors: ['upstream_error'],
  answersSecret: true,
  handle: async (ctx, { body: { redirectUri, collection, ...body } }, call) => {
    const own = publicAddress(ctx.config.PUBLIC_URL, call.host);
    const callbackUrl = callbackAddress(own, body.provider);
    // Only the console's own request comes from a browser. If a server starts it, the callback asks
    // the person (docs/adr/0017).
    const browserSecret = isOwnPage(call.headers, own) ? newBrowserSecret() : undefined;
    const request = {
      ...body,
      collectionId: collection,
      callbackUrl,
      browserSecret,
      redirectUri: redirectUri && checkRedirect(redirectUri, ctx.config.OAUTH_REDIRECT_ALLOWLIST, own),
    };
    const { expiresAt, ...begun } = await ctx.clients.oauth.initAuthorization(request, onBehalfOf(call));
    const headers =
      browserSecret === undefined
        ? {}
        : { 'Set-Cookie': oauthCookie('begun', begun.state, browserSecret, callbackUrl) };
    return data({ ...begun, expiresAt: time(expiresAt) }, headers);
  },
});
