import { branding } from '@lectern/api-spec';
import { actorOf, recordAudit } from '#audit/record-audit';
import { type BrandingChanges, changeBranding, readBranding, readSignInBranding } from '#branding/branding-store';
import { readLogo } from '#branding/logo';
import { data } from '#http/api-response';
import { lockRights } from '#identity/credential';
import { brandingRecord } from '#operations/branding/mapping';
import { openRoute, route } from '#pipeline/operation';

/** What the audit log records: of the logo, only that it changed. */
const auditedChanges = ({ name, accent, logo }: BrandingChanges) => ({
  ...(name === undefined ? {} : { name }),
  ...(accent === undefined ? {} : { accent }),
  ...(logo === undefined ? {} : { logo: logo === null ? null : `${logo.type}, ${logo.bytes.length} bytes` }),
});

export const brandingRoutes = [
  route(branding.getBranding, async ({ db }, _input, { caller }) =>
    data(brandingRecord(await readBranding(db, caller.teamId))),
  ),

  route(branding.updateBranding, async (ctx, { body: { logo, ...body } }, call) => {
    const changes = { ...body, logo: typeof logo === 'string' ? readLogo(logo) : logo };
    return ctx.db.$transaction(async (tx) => {
      await lockRights(ctx, tx, call);
      const details = auditedChanges(changes);
      await recordAudit(tx, actorOf(call), {
        action: 'updateBranding',
        resourceType: 'branding',
        resourceId: undefined,
        details,
      });
      return data(brandingRecord(await changeBranding(tx, call.caller.teamId, changes)));
    });
  }),

  openRoute(branding.getSignInBranding, async ({ db }) => data(brandingRecord(await readSignInBranding(db)))),
];
