// Requests that another user of the machine can try without a key. The script is read from standard
// input, so that a user who cannot read this checkout can run it; the task is in the global
// OTHER_USER_TASK. Uses only Node's own modules.
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';

const TIMEOUT_MS = 10_000;

/** The gRPC status of each call. */
async function callAll({ address, calls }) {
  const session = connectHttp2(`http://${address}`);
  session.on('error', () => undefined);
  const answers = await Promise.all(
    calls.map(
      ({ path, headers }) =>
        new Promise((resolve) => {
          const stream = session.request({
            ':method': 'POST',
            ':path': path,
            'content-type': 'application/grpc',
            te: 'trailers',
            ...headers,
          });
          const take = (found) => found['grpc-status'] !== undefined && resolve(Number(found['grpc-status']));
          stream.on('response', take);
          stream.on('trailers', take);
          stream.on('error', (error) => resolve(error.message));
          stream.on('close', () => resolve('closed'));
          stream.setTimeout(TIMEOUT_MS, () => resolve('silent'));
          stream.resume();
          // An empty message: five bytes of frame.
          stream.end(Buffer.alloc(5));
        }),
    ),
  );
  session.destroy();
  return answers;
}

function statusOf({ url, method, headers, body }) {
  return new Promise((resolve) => {
    const sent = request(url, { method, headers, timeout: TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('timeout', () => resolve('silent'));
    sent.on('error', (error) => resolve(error.message));
    sent.end(body);
  });
}

/**
 * Returns a server's response to these bytes, up to the expected length or the end of the
 * connection.
 */
function exchange({ address, bytes, until }) {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    let received = '';
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(TIMEOUT_MS, end);
    socket.on('connect', () => socket.write(Buffer.from(bytes, 'base64')));
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (new RegExp(until, 's').test(received)) end();
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

const isReadable = (file) =>
  readFile(file).then(
    (bytes) => bytes.length > 0,
    () => false,
  );

const task = globalThis.OTHER_USER_TASK;
const all = (inputs, work) => Promise.all(inputs.map(work));
process.stdout.write(
  JSON.stringify({
    uid: process.getuid(),
    grpc: await all(task.grpc, callAll),
    http: await all(task.http, statusOf),
    tcp: await all(task.tcp, exchange),
    readable: (await all(task.files, async (file) => [file, await isReadable(file)])).filter(([, yes]) => yes),
  }),
);
