// Plays random games with the engine of AlphaCarcassonne; prints how many decisions. Usage: PROGRAM GAMES

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "game.hpp"

// A random number from 0 to limit - 1, as zamek_env/base/chance.py draws it.
static int drawBelow(int limit) {
    static uint64_t word = 1;
    word ^= word << 13;
    word ^= word >> 7;
    word ^= word << 17;
    return static_cast<int>(((word >> 32) * limit) >> 32);
}

// Plays a game to its end; returns how many decisions were asked for. Tiles that fit nowhere are discarded.
static int play() {
    Carcassonne game;
    int bag[TOTAL_TILE_COUNT], left = 0, decisions = 0;
    for (int type = 1; type <= CANONICAL_TILE_TYPE_COUNT; ++type)
        for (int number = game.getRemainingTypeCount(type); number > 0; --number)
            bag[left++] = type;
    while (game.current_phase != PHASE_TERMINAL) {
        if (game.current_phase == PHASE_CHANCE) {
            int drawn = drawBelow(left), type = bag[drawn];
            bag[drawn] = bag[--left];
            game.drawTile(type);
        } else if (game.current_phase == PHASE_TILE) {
            TileMove moves[4 * BOARD_SIZE * BOARD_SIZE];
            int count;
            game.getLegalTileMoves(moves, count);
            const TileMove &move = moves[drawBelow(count)];
            game.placeTile(move.x, move.y, move.rot);
            ++decisions;
        } else {
            const auto moves = game.getLegalMeepleMoves();
            game.placeMeeple(moves[drawBelow(moves.size())]);
            ++decisions;
        }
    }
    return decisions;
}

int main(int, char **arguments) {
    long decisions = 0;
    for (int left = std::atoi(arguments[1]); left > 0; --left)
        decisions += play();
    std::printf("%ld\n", decisions);
}
