// The connection to foogo: requests, and jobs with updates while they run. docs/reference/web.md has the messages.

/** A request that foogo refused; the message says why. */
class Refusal extends Error {}

/**
 * A job that runs in foogo.
 * @typedef {{done: Promise<any>, stop: () => void, pause: () => void, resume: () => void}} Job
 */

export class Connection {
  /** @param {(reason: string) => void} lost called when the connection ends */
  constructor(lost) {
    this.lost = lost;
    this.number = 0;
    /** @type {Map<number, {resolve: Function, reject: Function, update: Function}>} */
    this.waiting = new Map();
  }

  /** Connect; resolves once messages can be sent. */
  open() {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    this.socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
    this.socket.onmessage = event => this.receive(JSON.parse(event.data));
    return new Promise(resolve => {
      this.socket.onopen = () => resolve(undefined);
      this.socket.onclose = () => {
        for (const one of this.waiting.values()) one.reject(new Refusal('the connection is lost'));
        this.waiting.clear();
        this.lost('foogo web has ended, or has too many pages: start it again, or reload this page.');
      };
    });
  }

  /** The result of a request. @returns {Promise<any>} */
  ask(type, fields = {}) {
    return this.job(type, fields).done;
  }

  /**
   * Start a job; `update` is called with each result so far.
   * @param {string} type
   * @param {object} fields
   * @param {(found: any) => void} update
   * @returns {Job}
   */
  job(type, fields, update = () => {}) {
    const id = ++this.number;
    const done = new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject, update}));
    this.send({id, type, ...fields});
    const control = kind => {
      if (this.waiting.has(id)) this.ask(kind, {job: id}).catch(() => {}); // it may just have ended
    };
    return {done, stop: () => control('stop'), pause: () => control('pause'), resume: () => control('resume')};
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  receive(reply) {
    const waiting = this.waiting.get(reply.id);
    if (!waiting) return;
    if (reply.type === 'update') return waiting.update(reply);
    this.waiting.delete(reply.id);
    if (reply.type === 'result') waiting.resolve(reply);
    else waiting.reject(new Refusal(reply.message));
  }
}
