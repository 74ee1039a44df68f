import express, { type Express } from 'express';
import { appsRouter } from '#apps/router';
import { brandingRouter } from '#branding/router';
import { CONSOLE_DIR } from '#console/console-files';
import { consoleRouter } from '#console/console-router';
import { rootRedirect } from '#console/root-redirect';
import type { Context } from '#context';
import { cors } from '#http/cors';
import { errorHandler, unknownPath } from '#http/errors';
import { closeWhileDraining, requestId, securityHeaders } from '#http/headers';
import { openApiRouter } from '#http/openapi-router';
import { mcpRouter } from '#mcp/router';
import { openAiRouter } from '#openai/router';
import { operations } from '#operations/table';
import { buildRouter } from '#pipeline/build-router';
import { scimRouter } from '#scim/router';
import { signInRouter } from '#sign-in/router';
import { slackRouter } from '#slack/router';
import { widgetRouter } from '#widget/router';

/**
 * Creates the HTTP application: common headers, the operations, the pages, and the error responses.
 */
export function createApp(ctx: Context): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(requestId, securityHeaders, closeWhileDraining(ctx.lifecycle), cors);
  app.use(buildRouter(ctx, operations));
  app.use(openAiRouter(ctx));
  app.use(rootRedirect);
  app.use(consoleRouter(CONSOLE_DIR));
  app.use(signInRouter(ctx));
  app.use(appsRouter(ctx));
  app.use(mcpRouter(ctx));
  app.use(scimRouter(ctx));
  app.use(slackRouter(ctx));
  app.use(openApiRouter());
  app.use(widgetRouter());
  app.use(brandingRouter(ctx));
  app.use(unknownPath);
  app.use(errorHandler(ctx.log));
  return app;
}
