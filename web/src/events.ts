/* events.ts - the server's stream of one game. One stream a tab; it reconnects by itself and says how it stands.
 *
 * The browser's own retry gives up for good on some failures, so the stream is closed and opened again here, with a growing
 * pause. The first `game` of every connection is taken as it is: a restarted server counts revisions from the start again.
 */
import { api, ApiError } from "./api";
import type { Done, Game, Info, Iteration, Report } from "./types";

export interface Listener {
    game(game: Game, fresh: boolean): void;
    info(info: Info): void;
    done(done: Done): void;
    iteration(iteration: Iteration): void;
    progress(progress: { done: number; total: number }): void;
    report(report: Report): void;
    failed(failure: { text: string }): void;
    /** `away` since the stream broke; `gone` when the server is there but does not know the game. */
    status(status: "open" | "away" | "gone"): void;
}

const PAUSES_MS = [300, 600, 1000, 2000, 3000];
const SILENCE_MS = 45_000;

export class GameStream {
    private source: EventSource | null = null;
    private tries = 0;
    private fresh = true;
    private retry = 0;
    private watchdog = 0;
    private closed = false;

    constructor(
        readonly id: string,
        private readonly listener: Partial<Listener>,
    ) {
        this.open();
    }

    close(): void {
        this.closed = true;
        this.drop();
    }

    /** Tries again at once, without waiting for the pause to end. */
    hurry(): void {
        if (!this.closed && this.source === null) this.open();
    }

    private drop(): void {
        clearTimeout(this.retry);
        clearTimeout(this.watchdog);
        this.source?.close();
        this.source = null;
    }

    private open(): void {
        this.drop();
        this.fresh = true;
        const source = new EventSource(`/api/events?game=${this.id}`);
        this.source = source;
        source.onerror = () => this.broken();
        source.onopen = () => {
            this.tries = 0;
            this.heard();
            this.listener.status?.("open");
        };
        this.on<Game>("game", game => {
            this.listener.game?.(game, this.fresh);
            this.fresh = false;
        });
        this.on<Info>("info", info => this.listener.info?.(info));
        this.on<Done>("done", done => this.listener.done?.(done));
        this.on<Iteration>("iteration", iteration => this.listener.iteration?.(iteration));
        this.on<{ done: number; total: number }>("progress", progress => this.listener.progress?.(progress));
        this.on<Report>("report", report => this.listener.report?.(report));
        this.on<{ text: string }>("failed", failure => this.listener.failed?.(failure));
        this.on<unknown>("ping", () => undefined);
    }

    private on<T>(name: string, take: (value: T) => void): void {
        this.source?.addEventListener(name, event => {
            this.heard();
            const text = (event as MessageEvent<string>).data;
            take(text ? JSON.parse(text) : undefined);
        });
    }

    private heard(): void {
        clearTimeout(this.watchdog);
        this.watchdog = window.setTimeout(() => this.broken(), SILENCE_MS);
    }

    private broken(): void {
        if (this.closed) return;
        this.drop();
        const pause = PAUSES_MS[Math.min(this.tries++, PAUSES_MS.length - 1)] as number;
        this.retry = window.setTimeout(() => this.open(), pause);
        void this.diagnose();
    }

    private async diagnose(): Promise<void> {
        try {
            await api.game(this.id);
        } catch (error) {
            if (this.closed || this.source !== null) return;
            const gone = error instanceof ApiError && error.status === 404;
            if (gone) this.close();
            this.listener.status?.(gone ? "gone" : "away");
        }
    }
}
