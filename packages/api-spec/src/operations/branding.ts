import { z } from 'zod';
import { jsonBody, withoutBody } from '#body';
import { none, one, operation } from '#operation';
import { ONE_LINE } from '#patterns';

/** The largest logo. As Base64 in a body, it stays below MAX_SMALL_JSON_BYTES. */
export const MAX_LOGO_BYTES = 100 * 1024;
const MAX_LOGO_BASE64 = Math.ceil(MAX_LOGO_BYTES / 3) * 4;
/** The largest width and height of a logo, in pixels. */
export const MAX_LOGO_PIXELS = 2_048;
const MAX_NAME = 60;
/** Completes “This API key may not …”. */
const CHANGE = 'change the branding';

export const EXAMPLE_BRANDING = {
  name: 'Acme Answers',
  logoUrl: '/branding/2Jx0bM8sQvW1kZpR7nY5tA',
  accent: '#0f766e',
};

export const brandingSchema = z
  .object({
    name: z
      .string()
      .nullable()
      .meta({ description: 'The name that the pages show. Null: Lectern.', examples: ['Acme Answers'] }),
    logoUrl: z
      .string()
      .nullable()
      .meta({
        description: 'The path of the logo. It changes with the logo. Null: the logo of Lectern.',
        examples: [EXAMPLE_BRANDING.logoUrl],
      }),
    accent: z
      .string()
      .nullable()
      .meta({
        description:
          'The color that an admin chose, as `#rrggbb`. Pages use the nearest shades of it with enough contrast. Null: the color of Lectern.',
        examples: [EXAMPLE_BRANDING.accent],
      }),
  })
  .meta({ id: 'Branding', description: 'The name, logo and color of a team.', examples: [EXAMPLE_BRANDING] });

const brandingChanges = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(MAX_NAME)
      .regex(new RegExp(ONE_LINE), 'must not contain control characters')
      .nullable()
      .meta({ description: 'The name that the pages show. Null for Lectern.' }),
    accent: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'must be a color as #rrggbb')
      .nullable()
      .meta({
        description:
          'A color. The pages darken it in the light theme and lighten it in the dark theme until text has a contrast of 4.5 to 1. Null for the color of Lectern.',
        examples: ['#0f766e'],
      }),
    logo: z
      .string()
      .min(1)
      .max(MAX_LOGO_BASE64)
      .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be Base64')
      .nullable()
      .meta({
        description: `A PNG, WebP or SVG image as Base64, at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_PIXELS} × ${MAX_LOGO_PIXELS} pixels. An SVG must not contain scripts, event handlers, links to other addresses or a DOCTYPE. Null for the logo of Lectern.`,
      }),
  })
  .partial()
  .meta({
    id: 'BrandingChanges',
    description: 'The parts to change. Omitted ones stay.',
    examples: [{ name: 'Acme Answers', accent: '#0f766e' }],
  });

export const getBranding = operation({
  id: 'getBranding',
  method: 'get',
  path: '/api/v1/branding',
  summary: 'Get the branding',
  description: 'Returns the name, logo and color of the team, for its own pages.',
  access: 'secret',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(brandingSchema),
});

export const updateBranding = operation({
  id: 'updateBranding',
  method: 'put',
  path: '/api/v1/branding',
  summary: 'Change the branding',
  description: 'Changes the name, logo or color of the team on the console, Ask and the sign-in page.',
  access: 'secret',
  fullScopeTo: CHANGE,
  params: none,
  query: none,
  body: jsonBody(brandingChanges),
  success: 200,
  response: one(brandingSchema),
});

export const getSignInBranding = operation({
  id: 'getSignInBranding',
  method: 'get',
  path: '/api/v1/session/branding',
  summary: 'Get the branding of the sign-in page',
  description:
    'Returns the branding of the team of this installation. In an installation with several teams, it is that of Lectern, because all teams share the page.',
  access: 'open',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(brandingSchema),
});
