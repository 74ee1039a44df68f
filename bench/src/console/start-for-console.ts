import { untilBuilt } from '#console/until-built';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** Starts a temporary Lectern whose console is built. The stack stops and removes it. */
export async function startForConsole(cleanUp: AsyncDisposableStack, signal: AbortSignal): Promise<Lectern> {
  const home = await createTemporaryHome();
  cleanUp.defer(() => home.remove());
  const lectern = await startLectern(home.path, signal);
  cleanUp.defer(() => lectern.stop());
  await untilBuilt(lectern, signal);
  return lectern;
}
