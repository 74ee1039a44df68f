import type { SlackApp } from '#gen/prisma/client';
import { time } from '#operations/convert';

/** The record of an app, without its secrets. */
export function slackAppRecord(app: SlackApp) {
  const { id, name, transport, collections, agentId, channels, isEnabled, status, statusReason } = app;
  const { workspaceId, workspaceName, botUserId, socketLockedUntil, createdAt, updatedAt } = app;
  const isActive = isEnabled && status === 'active' && transport === 'socket';
  const isConnected = isActive && socketLockedUntil !== null && socketLockedUntil.getTime() > Date.now();
  const settings = { name, transport, collections, agentId, channels, isEnabled };
  const workspace = { workspaceId, workspaceName, botUserId };
  const times = { createdAt: time(createdAt), updatedAt: time(updatedAt) };
  return { id, ...settings, ...workspace, status, statusReason, isConnected, ...times };
}
