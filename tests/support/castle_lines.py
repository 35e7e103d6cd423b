"""Positions of castle-cards as lines of text, for tests."""

FULL_TABLE = (  # something of everything
    "castle-cards:3; 1 target Archer; turn 1 left 2 quiet 3; board 0,0 Archer:1, 0,1 Soldier:0+Knight:2, 0,2 Soldier:0,"
    " 0,5 Ghost:-, 1,2 King:1+Knight:-+Knight:0+Knight:2, 2,2 Queen:2, 2,3 Lady in Waiting:2, 3,3 King's Counselor:-,"
    " 4,4 Prince Charming:2, 5,1 Captain:1, siege N Siege Engine:2, siege W Siege Engine:0, outside 4 Dragon:1,"
    " outside 7 Village Idiot:0, outside 9 Herald:2; exchange Black Knight, Courtesan, 3 Siege Engine, 4 Soldier;"
    " removed Spy; hands 4:5:3; decks 2:2:1; known - : Thief : -; last 0,0"
)
OVER = "castle-cards:2; - over; turn 0 left 0 quiet 0; board 1,1 Fool:0; hands 0:3; decks 0:2; won 0"
