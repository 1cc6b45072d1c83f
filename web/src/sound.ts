/* sound.ts - a short wooden click for a move, a lower one for a capture; made here, no file. Off unless the user wants it. */
import { state } from "./store";

let context: AudioContext | null = null;

function knock(frequency: number, at: number): void {
    if (!context) return;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(frequency, at);
    tone.frequency.exponentialRampToValueAtTime(frequency / 2.5, at + 0.07);
    gain.gain.setValueAtTime(0.25, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.09);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.1);
}

/** Plays the sound of a move, given its SAN. */
export function click(san: string): void {
    if (!state.prefs.sound) return;
    context ??= new AudioContext();
    void context.resume();
    const now = context.currentTime;
    knock(san.includes("x") ? 260 : 420, now);
    if (/[+#]/.test(san)) knock(620, now + 0.09);
}
