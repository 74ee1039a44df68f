export { createEgressGuard, type EgressGuardOptions } from '#egress/create-egress-guard';
export * from '#egress/egress-guard';
export type { ResolvedAddress, ResolveHost } from '#egress/egress-policy';
export { type EgressRule, parseEgressAllow } from '#egress/egress-rule';
export { SourceError } from '#source-error';
